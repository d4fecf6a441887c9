"""The networks: a finder of tiles in whole pictures, and an aligner and two readers of single crops.

They consist of plain convolutions, which are fast wherever ONNX Runtime runs, even on a Raspberry Pi, and into which
the batch norms can be merged.
"""

from __future__ import annotations

import torch
from torch import Tensor, nn

from referee.vision.finding import finder as find
from referee.vision.reading import answers, crops
from referee.vision.reading.glyphs import KINDS, SUITS
from referee.vision.reading.look_alikes import PAIRS


def _block(inputs: int, outputs: int, stride: int = 1, kernel: int = 3) -> nn.Sequential:
    return nn.Sequential(
        nn.Conv2d(inputs, outputs, kernel, stride, kernel // 2, bias=False), nn.BatchNorm2d(outputs), nn.ReLU()
    )


def _convolutions(part: nn.Module) -> list[nn.Conv2d]:
    return [layer for layer in part.modules() if isinstance(layer, nn.Conv2d)]


class FinderNet(nn.Module):  # type: ignore[misc]
    """Maps (n, 3, H, W), about -1 to 1, to (n, 7, H/4, W/4); see `referee.vision.finding.finder`."""

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
        """Return maps of scores (logits), offsets and coded half sizes, in cells."""
        x4 = self.to4(pictures)
        x8 = self.to8(x4)
        y8 = self.at8(x8 + self.up(self.from16(self.to16(x8))))
        return self.out(self.at4(x4 + self.up(self.from8(y8))))


class AlignerNet(nn.Module):  # type: ignore[misc]
    """Maps (n, 3, 64, 48) of relative ink to (n, 8): where the tile's corners are relative to the crop's."""

    def __init__(self) -> None:
        super().__init__()
        self.features = nn.Sequential(_block(3, 16, 2, 5), _block(16, 24, 2), _block(24, 48, 2), _block(48, 64))
        cells = (crops.HEIGHT // 8) * (crops.WIDTH // 8)
        self.head = nn.Sequential(nn.Flatten(), nn.Linear(64 * cells, answers.SHIFTS))

    def forward(self, ink: Tensor) -> Tensor:
        """Return shifts (see `referee.vision.reading.crops.apply_shifts`)."""
        return self.head(self.features(ink))


class ReaderNet(nn.Module):  # type: ignore[misc]
    """Maps (n, 3, 64, 48) of relative ink to (n, COLUMNS); see `referee.vision.reading.answers`.

    Glyph and ink have separate heads. The ink is measured, not named: it is a mean of the crop's own pixels with
    learned weights, corrected for the body that shows through thin strokes. So inks that were never seen are measured,
    too.
    """

    def __init__(self, widths: tuple[int, int, int] = (16, 64, 96)) -> None:
        super().__init__()
        a, b, c = widths
        self.to2 = nn.Sequential(_block(3, a, 2, 5), _block(a, a))
        self.to4 = nn.Sequential(_block(a, b, 2), _block(b, b))
        self.to8 = nn.Sequential(_block(b, c, 2), _block(c, c), _block(c, c))
        cells = c * (crops.HEIGHT // 8) * (crops.WIDTH // 8)
        self.embed = nn.Sequential(
            nn.Flatten(), nn.Dropout(0.15), nn.Linear(cells, answers.EMBEDDING), nn.BatchNorm1d(answers.EMBEDDING)
        )
        self.kinds = nn.Sequential(nn.ReLU(), nn.Linear(answers.EMBEDDING, KINDS))
        self.suits = nn.Sequential(nn.ReLU(), nn.Linear(answers.EMBEDDING, len(SUITS)))
        self.shifts = nn.Linear(cells, answers.SHIFTS)
        self.where = nn.Conv2d(a, 1, 1)
        self.light = nn.Sequential(nn.Linear(b + c + 3, 48), nn.ReLU(), nn.Linear(48, 1 + answers.INK))
        self.small = nn.AvgPool2d(2)

    def inner_weights(self) -> list[nn.Parameter]:
        """Return the weights of the convolutions before the heads, without the first, and of the embedding."""
        convolutions = [layer.weight for part in (self.to2, self.to4, self.to8) for layer in _convolutions(part)]
        return [*convolutions[1:], self.embed[2].weight]

    def forward(self, ink: Tensor) -> Tensor:
        """Return logits of kinds and suits, the ink's absorbance and the log of its error, shifts, and embedding."""
        x2 = self.to2(ink)
        x4 = self.to4(x2)
        x8 = self.to8(x4)
        weights = torch.softmax(self.where(x2).flatten(1), dim=1)
        absorbed = -(self.small(ink).flatten(2) * weights[:, None]).sum(2)
        features = torch.cat([x4.mean((2, 3)), x8.mean((2, 3)), absorbed], 1)
        measures = self.light(features)
        coverage = 0.35 + 0.8 * torch.sigmoid(measures[:, :1] + 1.0)
        flat = x8.flatten(1)
        embedding = self.embed(x8)
        return torch.cat([self.kinds(embedding), self.suits(embedding), absorbed / coverage,
                          torch.clamp(measures[:, 1:], -6.0, 1.0), self.shifts(flat), embedding], 1)  # fmt: skip


class LookAlikeNet(nn.Module):  # type: ignore[misc]
    """Maps (n, 4, 64, 48), see `referee.vision.reading.look_alikes.with_print`, to log odds (n, len(PAIRS))."""

    def __init__(self) -> None:
        super().__init__()
        self.features = nn.Sequential(
            _block(4, 16, 2, 5), _block(16, 16), _block(16, 32, 2), _block(32, 32), _block(32, 64, 2), _block(64, 64)
        )
        cells = (crops.HEIGHT // 8) * (crops.WIDTH // 8)
        self.head = nn.Sequential(
            nn.Flatten(), nn.Dropout(0.2), nn.Linear(64 * cells, 64), nn.BatchNorm1d(64), nn.ReLU(),
            nn.Linear(64, len(PAIRS)),
        )  # fmt: skip

    def forward(self, prints: Tensor) -> Tensor:
        """Return for each pair the log odds that a print is its second number and not the first."""
        return self.head(self.features(prints))
