import type { Brand } from "~/content/brand";
import type { PdfBlock, PdfDocument, PdfPicture } from "~/features/pdf/model";
import type { Instant } from "~/lib/time";
import type { Letter, SignedLetter } from "./model";

/** Returns who writes, and below the name where they are: the head of a letter on paper and on its page. */
export function letterhead({ name, address, phone, supportEmail }: Brand): { name: string; lines: string[] } {
  return { name, lines: [...address, [phone?.display, supportEmail].filter(Boolean).join(", ")].filter(Boolean) };
}

/** Returns a letter as a document. */
export function letterDocument(
  { letter, signedBy }: SignedLetter,
  { brand, picture, createdAt }: { brand: Brand; picture: PdfPicture | null; createdAt: Instant },
): PdfDocument {
  return {
    title: `${letter.title}, letter to ${letter.organization}`,
    sender: {
      ...letterhead(brand),
      color: brand.color,
      hasLogo: brand.logo !== null,
      picture,
    },
    facts: [letter.organization, letter.title, letter.date],
    createdAt,
    blocks: [
      { kind: "title", text: letter.verdict },
      { kind: "text", text: letter.intro },
      { kind: "figures", figures: letter.numbers },
      ...missesOf(letter),
      {
        kind: "sides",
        left: pairs(
          "What you asked for",
          letter.asked.map(({ label, count }) => [label, count]),
          "Nothing this month.",
        ),
        right: pairs(
          "What we agreed",
          letter.agreed.map(({ label, value }) => [label, value]),
          "",
        ),
      },
      ...listOf(
        "Waiting for you",
        letter.waiting.map(({ ticket, title }) => `${ticket} ${title}`),
      ),
      ...listOf("From us", letter.sentences),
      { kind: "text", text: `${signedBy}, ${brand.name}` },
      {
        kind: "text",
        text: `Questions? Write to ${brand.supportEmail}${brand.phone ? `, or call ${brand.phone.display}` : ""}.`,
        isMuted: true,
      },
    ],
  };
}

function missesOf({ misses, moreMisses }: Letter): PdfBlock[] {
  if (misses.length === 0) return [];
  return [
    { kind: "heading", text: misses.length === 1 ? "The promise we missed" : "The promises we missed" },
    {
      kind: "table",
      columns: [
        { label: "Ticket", share: 4 },
        { label: "Promised", share: 2 },
        { label: "Answered", share: 3 },
        { label: "Reason", share: 5 },
      ],
      rows: misses.map(({ ticket, title, promised, answered, reason }) => [
        `${ticket} ${title}`,
        promised,
        answered,
        reason,
      ]),
    },
    ...(moreMisses === "" ? [] : [{ kind: "text", text: moreMisses, isMuted: true } as const]),
  ];
}

const pairs = (title: string, rows: readonly (readonly [string, string])[], none: string): PdfBlock[] => [
  { kind: "heading", text: title },
  ...(rows.length === 0
    ? [{ kind: "text", text: none } as const]
    : [
        {
          kind: "table",
          columns: [
            { label: "", share: 2 },
            { label: "", share: 3, isNumber: true },
          ],
          rows,
        } as const,
      ]),
];

const listOf = (title: string, items: readonly string[]): PdfBlock[] =>
  items.length === 0
    ? []
    : [
        { kind: "heading", text: title },
        { kind: "list", items },
      ];
