/** Holds the sides of a picture, in pixels. */
type PictureSize = { width: number; height: number };

/**
 * Reads the size of a picture from its own bytes. Null: it is not a whole picture of this kind, or one that moves.
 * Formats: https://www.w3.org/TR/png-3 and https://developers.google.com/speed/webp/docs/riff_container.
 */
export function pictureSize(kind: "png" | "webp", bytes: Uint8Array): PictureSize | null {
  // The shortest picture of either kind is longer.
  if (bytes.byteLength < 40) return null;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return kind === "png" ? pngSize(view) : webpSize(view);
}

const textAt = (view: DataView, at: number, length = 4): string =>
  String.fromCharCode(...Array.from({ length }, (_, index) => view.getUint8(at + index)));

function pngSize(view: DataView): PictureSize | null {
  if (textAt(view, 0, 8) !== "\x89PNG\r\n\x1a\n" || textAt(view, 12) !== "IHDR") return null;
  let [at, hasPixels] = [8, false];
  while (at + 12 <= view.byteLength) {
    const type = textAt(view, at + 4);
    if (type === "acTL") return null;
    if (type === "IDAT") hasPixels = true;
    at += 12 + view.getUint32(at);
    if (type === "IEND") break;
  }
  // Whatever follows the end is not part of the picture.
  if (!hasPixels || at !== view.byteLength) return null;
  return { width: view.getUint32(16), height: view.getUint32(20) };
}

function webpSize(view: DataView): PictureSize | null {
  if (textAt(view, 0) !== "RIFF" || textAt(view, 8) !== "WEBP") return null;
  if (view.getUint32(4, true) + 8 !== view.byteLength) return null;
  const three = (at: number) => view.getUint16(at, true) + (view.getUint8(at + 2) << 16);
  switch (textAt(view, 12)) {
    case "VP8 ": {
      const isKeyFrame = three(23) === 0x2a019d;
      return isKeyFrame
        ? { width: view.getUint16(26, true) & 0x3fff, height: view.getUint16(28, true) & 0x3fff }
        : null;
    }
    case "VP8L": {
      const bits = view.getUint32(21, true);
      if (view.getUint8(20) !== 0x2f) return null;
      return { width: (bits & 0x3fff) + 1, height: ((bits >> 14) & 0x3fff) + 1 };
    }
    case "VP8X": {
      const moves = (view.getUint8(20) & 0x02) !== 0;
      return moves ? null : { width: three(24) + 1, height: three(27) + 1 };
    }
    default:
      return null;
  }
}
