import type { Brand } from "~/content/brand";
import type { PdfBlock, PdfDocument, PdfPicture } from "~/features/pdf/model";
import type { Instant } from "~/lib/time";
import type { Report } from "./model";

export function reportDocument(
  report: Report,
  { brand, picture, createdAt }: { brand: Brand; picture: PdfPicture | null; createdAt: Instant },
): PdfDocument {
  const { title, period, madeAt, cards, sampled, deleted, tables } = report;
  return {
    title: `${title}, ${period}`,
    sender: { name: brand.name, color: brand.color, hasLogo: brand.logo !== null, picture, lines: [] },
    facts: [period, `Made ${madeAt}`],
    createdAt,
    blocks: [
      { kind: "title", text: title },
      { kind: "figures", figures: cards.map(({ label, value, note }) => ({ value, label: `${label}\n${note}` })) },
      ...[sampled, deleted].flatMap((text): PdfBlock[] => (text ? [{ kind: "text", text, isMuted: true }] : [])),
      ...tables.flatMap((table): PdfBlock[] => [
        { kind: "heading", text: table.title },
        { kind: "table", columns: table.columns, rows: table.rows, none: table.none },
        { kind: "text", text: table.note, isMuted: true },
      ]),
    ],
  };
}
