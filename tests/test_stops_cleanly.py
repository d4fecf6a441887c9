"""A program that ends while one of its threads is within a network or a picture ends with its own exit code."""

import subprocess
import sys

import pytest

PROGRAM = """
import sys, threading
from referee.cli.main import main
from referee.cli.verbs import verbs

def run(arguments, parts):
    begun = threading.Event()

    def network():
        import numpy as np
        import onnxruntime
        session = onnxruntime.InferenceSession("models/aligner.onnx")
        name = session.get_inputs()[0].name
        shape = [one if isinstance(one, int) else 1 for one in session.get_inputs()[0].shape]
        image = np.zeros(shape, np.float32)
        while True:
            session.run(None, {name: image})
            begun.set()

    def picture():
        import cv2, numpy as np
        image = np.zeros((40, 40, 3), np.uint8)
        while True:
            cv2.GaussianBlur(image, (5, 5), 0)
            begun.set()

    threading.Thread(target=locals()[arguments[0]], daemon=True).start()
    begun.wait()
    print("the last words", end="")
    return 3

verbs.run = run
sys.exit(main())
"""


@pytest.mark.parametrize("busy", ["network", "picture"])
def test_a_thread_within_native_code_does_not_abort_the_program(busy):
    for _ in range(2):  # without help every one of ten ends with SIGABRT
        done = subprocess.run(  # noqa: S603
            [sys.executable, "-c", PROGRAM, busy], capture_output=True, text=True, check=False
        )
        assert (done.returncode, done.stdout, done.stderr) == (3, "the last words", "")
