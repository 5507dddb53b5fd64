import { create } from "qrcode";

/** Holds a QR code as the path of an SVG: one unit per module, without the quiet zone. */
export type QrCode = { size: number; path: string };

/** Encodes text as a QR code. Adjacent dark modules of a row become one rectangle, which keeps the path short. */
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
