"""Where the markers of the virtual table lie in its picture."""

PAPER_MM = 0.3


def marker_truth(scene, camera):
    """The corners of their black squares: id to (4, 2) pixels, top left first, then clockwise."""
    return {marker: camera.project_flat(scene.marker_corners(marker), PAPER_MM) for marker in scene.markers}
