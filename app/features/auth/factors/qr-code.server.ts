import { create } from "qrcode";

/** A QR code as the path of an SVG: one unit per module, quiet zone not included. */
export type QrCode = { size: number; path: string };

/** Draws text as a QR code. Rows of dark modules become one stroke each, which keeps the path short. */
export function qrCodeOf(text: string): QrCode {
  const { size, data } = create(text, { errorCorrectionLevel: "M" }).modules;
  let path = "";
  for (let row = 0; row < size; row += 1) {
    for (let column = 0; column < size; column += 1) {
      const start = column;
      while (column < size && data[row * size + column]) column += 1;
      if (column > start) path += `M${start} ${row}h${column - start}v1H${start}z`;
    }
  }
  return { size, path };
}
