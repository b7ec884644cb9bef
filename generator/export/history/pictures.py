"""Images of sessions made fit to show: scaled, encoded anew, without what a camera notes in them.

An image of a transcript may come from anywhere, so only a few decoders are let at it, none at
more than a bounded number of pixels, and what is shown is never the file itself: photos hold
the place where they were taken. The only user of Pillow.
"""

from __future__ import annotations

import contextlib
import io
import struct
import warnings
import zlib
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from generator.export.outputs import digest, sha256

if TYPE_CHECKING:
    from PIL import Image

SMALL = 320
"""Longest side of a thumbnail, in pixels."""
LARGE = 1600
"""Longest side of what a thumbnail opens, in pixels."""
PIXELS_MAX = 50_000_000
"""Pixels that are decoded at most: the photos of today's phones, 200 MB unpacked."""
_KINDS = ("PNG", "JPEG", "GIF", "WEBP", "AVIF", "BMP")
# Writing takes a quarter of the time of the default effort, for files of nearly the same size.
_EFFORT = 2
_QUALITY = 82
# What decoders raise at bytes that are not what they say, met by changing bytes at random.
_BROKEN = (
    OSError,
    ValueError,
    SyntaxError,
    RuntimeError,
    EOFError,
    LookupError,
    TypeError,
    AttributeError,
    ArithmeticError,
    MemoryError,
    struct.error,
    zlib.error,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Picture:
    """An image as it is shown.

    Attributes:
        original: Width and height of the image itself, turned as it is meant to be seen.
        large: Width and height of what is opened.
        small: Width and height of the thumbnail; that of ``large`` when it is small itself.
        files: WebP of ``large``, and of ``small`` when that is another one.
    """

    original: tuple[int, int]
    large: tuple[int, int]
    small: tuple[int, int]
    files: tuple[bytes, ...]


class Unshown(str):
    """Why an image is not shown: the key of a sentence in the texts."""

    __slots__ = ()


@cache
def manner() -> str:
    """Return a digest of what decides the bytes that are made of an image."""
    import PIL
    from PIL import features

    return digest(PIL.__version__, features.version("webp"), sha256(Path(__file__).read_bytes()))


def picture_of(data: bytes) -> Picture | Unshown:
    """Decode an image and return what is shown of it; of a moving one, its first frame.

    Args:
        data: The image, as it came; it may be cut off, lie about itself or unpack to gigabytes.
    """
    from PIL import Image, ImageOps

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            with Image.open(io.BytesIO(data), formats=_KINDS) as opened:
                if opened.width * opened.height > PIXELS_MAX:
                    return Unshown("image_large")
                shown = _plain(ImageOps.exif_transpose(opened))
        except Image.DecompressionBombError:
            return Unshown("image_large")
        except _BROKEN:
            return Unshown("image_broken")
    original = shown.size
    shown.thumbnail((LARGE, LARGE), Image.Resampling.LANCZOS)
    large = shown.size
    files = [_webp(shown)]
    if max(large) > SMALL:
        shown.thumbnail((SMALL, SMALL), Image.Resampling.LANCZOS)
        files.append(_webp(shown))
    return Picture(original=original, large=large, small=shown.size, files=tuple(files))


def _plain(image: Image.Image) -> Image.Image:
    """Return an image in the web's colours, whatever it was stored in."""
    from PIL import ImageCms

    if image.mode.startswith(("I;16", "I")):
        image = image.point(lambda value: value / 256).convert("L")
    profile = image.info.get("icc_profile")
    if profile and image.mode in ("RGB", "CMYK"):
        # Wide colours of phones and screens would look dull with their profile taken away.
        with contextlib.suppress(ImageCms.PyCMSError, *_BROKEN):
            own = ImageCms.ImageCmsProfile(io.BytesIO(profile))
            wanted = ImageCms.createProfile("sRGB")
            image = ImageCms.profileToProfile(image, own, wanted, outputMode="RGB") or image
    clear = image.mode in ("RGBA", "LA", "PA", "La", "RGBa") or "transparency" in image.info
    return image.convert("RGBA" if clear else "RGB")


def _webp(image: Image.Image) -> bytes:
    image.info.clear()
    buffer = io.BytesIO()
    image.save(buffer, "WEBP", quality=_QUALITY, method=_EFFORT)
    return buffer.getvalue()
