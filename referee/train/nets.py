"""The two nets: a finder of tiles in whole pictures and a reader of single crops; plain 3x3 convolutions only.

Plain layers run fast everywhere ONNX Runtime runs, also on a Raspberry Pi, and fold their batch norms away.
"""

from __future__ import annotations

import torch
from torch import Tensor, nn

from referee.train.data import CLASSES
from referee.vision import crops, find
from referee.vision.read import COLOURS

SHIFTS = 8


def _block(inputs: int, outputs: int, stride: int = 1, kernel: int = 3) -> nn.Sequential:
    return nn.Sequential(
        nn.Conv2d(inputs, outputs, kernel, stride, kernel // 2, bias=False), nn.BatchNorm2d(outputs), nn.ReLU()
    )


class Finder(nn.Module):  # type: ignore[misc]
    """(n, 3, H, W), about -1 to 1, to maps (n, 7, H/4, W/4): see `referee.vision.find`."""

    def __init__(self, widths: tuple[int, int, int, int] = (16, 32, 56, 80)) -> None:
        super().__init__()
        a, b, c, d = widths
        self.to4 = nn.Sequential(_block(3, a, 2), _block(a, b, 2), _block(b, b))
        self.to8 = nn.Sequential(_block(b, c, 2), _block(c, c), _block(c, c))
        self.to16 = nn.Sequential(_block(c, d, 2), _block(d, d), _block(d, d))
        self.up = nn.Upsample(scale_factor=2, mode="nearest")
        self.from16 = nn.Conv2d(d, c, 1)
        self.at8 = _block(c, c)
        self.from8 = nn.Conv2d(c, b, 1)
        self.at4 = nn.Sequential(_block(b, b), _block(b, 48))
        self.out = nn.Conv2d(48, find.CHANNELS, 1)
        nn.init.constant_(self.out.bias, 0.0)
        with torch.no_grad():
            self.out.bias[0] = -3.0  # tiles are rare

    def forward(self, pictures: Tensor) -> Tensor:
        """Maps of scores (logits), offsets and coded half sizes, in cells."""
        x4 = self.to4(pictures)
        x8 = self.to8(x4)
        y8 = self.at8(x8 + self.up(self.from16(self.to16(x8))))
        return self.out(self.at4(x4 + self.up(self.from8(y8))))


class Reader(nn.Module):  # type: ignore[misc]
    """(n, 3, 64, 48) of relative ink to (n, CLASSES + 6 + 8): logits of kind and way up, of colour; corner shifts."""

    def __init__(self, widths: tuple[int, int, int, int] = (24, 32, 64, 80)) -> None:
        super().__init__()
        a, b, c, d = widths
        self.features = nn.Sequential(
            _block(3, a, 2, 5), _block(a, b), _block(b, c, 2), _block(c, c), _block(c, d, 2), _block(d, d)
        )
        cells = (crops.HEIGHT // 8) * (crops.WIDTH // 8)
        self.head = nn.Sequential(
            nn.Flatten(), nn.Dropout(0.15), nn.Linear(d * cells, CLASSES + len(COLOURS) + SHIFTS)
        )

    def forward(self, ink: Tensor) -> Tensor:
        """Logits of kinds, then of colours, then shifts (see `referee.vision.crops.apply_shifts`)."""
        return self.head(self.features(ink))
