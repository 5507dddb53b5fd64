import { logoSize, saysName } from "~/features/settings/logo/model";
import { assertNever } from "~/lib/assert";
import { type Flow, type Ink, makeRoom, pageRoom, setLine, setMark, setPicture, setStroke, trial } from "./flow.server";
import type { PdfBlock, PdfDocument } from "./model";
import { setTable } from "./set-table.server";
import { linesOf, widthOf, writable } from "./type-setting.server";

const NAME: Ink = { size: 13, weight: "bold", color: "ink" };
const TITLE: Ink = { size: 17, weight: "bold", color: "ink" };
const HEADING: Ink = { size: 11.5, weight: "bold", color: "ink" };
const BODY: Ink = { size: 9.5, weight: "regular", color: "ink" };
const MUTED: Ink = { ...BODY, size: 8.5, color: "muted" };
const FIGURE: Ink = { size: 15, weight: "bold", color: "brand" };
const SMALL_FIGURE: Ink = { ...FIGURE, size: 11 };

/** Returns the height of a line, in points. */
const leading = ({ size }: Ink): number => size * 1.36;

const GAP = 14;

/** Sets the room that a heading needs, so that it stays together with the first lines below it. */
const HEADING_ROOM = 64;

/** Limits the picture of a logo, in points. */
const LOGO_ROOM = { width: 120, height: 28 };

/** Sets the space between a logo and the name. */
const LOGO_GAP = 8;

/** Sets the logo of who writes, or the mark. Returns how much room it takes beside the name, and above what follows. */
function setLogo(flow: Flow, { hasLogo, picture }: PdfDocument["sender"]): { indent: number; height: number } {
  if (picture) {
    const size = logoSize(picture, LOGO_ROOM);
    setPicture(flow, { x: flow.left, y: flow.y, ...size });
    return { indent: size.width + LOGO_GAP, height: size.height + 4 };
  }
  if (hasLogo) return { indent: 0, height: 0 };
  setMark(flow, flow.left, flow.y + 1);
  return { indent: 28, height: 0 };
}

/** Sets who writes, and beside it what it is about. A logo that is so wide that it says the name stands alone. */
export function setLetterhead(flow: Flow, { sender, facts }: Pick<PdfDocument, "sender" | "facts">): void {
  const half = flow.width / 2 - GAP;
  const { indent, height } = setLogo(flow, sender);
  const name = sender.picture && saysName(sender.picture) ? [] : linesOf(sender.name, half - indent, NAME).slice(0, 2);
  const nameTop = flow.y - Math.max(0, (height - name.length * leading(NAME)) / 2);
  const lines = {
    left: [
      ...name.map((text) => ({ text, ink: NAME, indent })),
      ...sender.lines.flatMap((line) => linesOf(line, half, MUTED)).map((text) => ({ text, ink: MUTED, indent: 0 })),
    ],
    right: facts.flatMap((fact) => linesOf(fact, half, MUTED)).map((text) => ({ text, ink: MUTED, indent: 0 })),
  };
  const bottoms = [lines.left, lines.right].map((side, index) => {
    let y = index === 0 ? nameTop : flow.y;
    for (const { text, ink, indent } of side) {
      // What follows the name stands below the logo.
      if (index === 0 && ink !== NAME) y = Math.min(y, flow.y - height);
      const x = index === 0 ? flow.left + indent : flow.left + flow.width - widthOf(text, ink.size, ink.weight);
      setLine(flow, text, { x, y: y - ink.size, ink });
      y -= leading(ink);
    }
    return y;
  });
  flow.y = Math.min(...bottoms, flow.y - height) - 6;
  setStroke(flow, { from: [flow.left, flow.y], to: [flow.left + flow.width, flow.y], width: 1.5, color: "ink" });
  flow.y -= GAP + 6;
}

export function setBlocks(flow: Flow, blocks: readonly PdfBlock[]): void {
  for (const block of blocks) setBlock(flow, block);
}

function setBlock(flow: Flow, block: PdfBlock): void {
  switch (block.kind) {
    case "title":
      return setText(flow, block.text, { ink: TITLE, after: 8 });
    case "heading":
      makeRoom(flow, HEADING_ROOM);
      flow.y -= 4;
      return setText(flow, block.text, { ink: HEADING, after: 3 });
    case "text":
      return setText(flow, block.text, { ink: block.isMuted ? MUTED : BODY, after: GAP - 4 });
    case "figures":
      return setFigures(flow, block.figures);
    case "list":
      return setList(flow, block);
    case "table":
      return setTable(flow, block);
    case "sides":
      return setSides(flow, block);
    default:
      return assertNever(block);
  }
}

/** Sets lines, which may go on on the next page. `indent` leaves room to the left. */
function setText(flow: Flow, text: string, { ink, after, indent = 0 }: { ink: Ink; after: number; indent?: number }) {
  for (const line of linesOf(text, flow.width - indent, ink)) {
    makeRoom(flow, leading(ink));
    setLine(flow, line, { x: flow.left + indent, y: flow.y - ink.size, ink });
    flow.y -= leading(ink);
  }
  flow.y -= after;
}

function setList(flow: Flow, { items, isOrdered }: Extract<PdfBlock, { kind: "list" }>): void {
  for (const [index, item] of items.entries()) {
    makeRoom(flow, leading(BODY));
    const mark = isOrdered ? `${index + 1}.` : "•";
    setLine(flow, mark, { x: flow.left + 2, y: flow.y - BODY.size, ink: BODY });
    setText(flow, item, { ink: BODY, after: 2, indent: 16 });
  }
  flow.y -= GAP - 6;
}

/** Sets figures side by side, each with what it says below. */
function setFigures(flow: Flow, figures: Extract<PdfBlock, { kind: "figures" }>["figures"]): void {
  const width = (flow.width - GAP * (figures.length - 1)) / figures.length;
  const cells = figures.map(({ value, label }) => {
    const isLong = widthOf(writable(value), FIGURE.size, FIGURE.weight) > width;
    const ink = isLong ? SMALL_FIGURE : FIGURE;
    return { ink, value: linesOf(value, width, ink), label: linesOf(label, width, MUTED) };
  });
  const heights = cells.map(({ ink, value, label }) => value.length * leading(ink) + label.length * leading(MUTED));
  const height = Math.max(0, ...heights) + 8;
  makeRoom(flow, height + GAP);
  const top = flow.y;
  for (const [index, { ink: figure, value, label }] of cells.entries()) {
    const x = flow.left + index * (width + GAP);
    setStroke(flow, { from: [x, top], to: [x + width, top], width: 0.75, color: "line" });
    let y = top - 6;
    for (const [ink, lines] of [[figure, value] as const, [MUTED, label] as const])
      for (const line of lines) {
        setLine(flow, line, { x, y: y - ink.size, ink });
        y -= leading(ink);
      }
  }
  flow.y = top - height - GAP + 2;
}

function setSides(flow: Flow, { left, right }: Extract<PdfBlock, { kind: "sides" }>): void {
  const width = (flow.width - 2 * GAP) / 2;
  const sides = [
    { blocks: left, x: flow.left },
    { blocks: right, x: flow.left + width + 2 * GAP },
  ];
  const heights = sides.map(({ blocks, x }) => {
    const tried = trial({ ...flow, left: x, width });
    setBlocks(tried, blocks);
    return flow.y - tried.y;
  });
  const height = Math.max(...heights);
  if (height > pageRoom(flow)) {
    setBlocks(flow, [...left, ...right]);
    return;
  }
  makeRoom(flow, height);
  for (const { blocks, x } of sides) setBlocks({ ...flow, left: x, width, floor: -Infinity }, blocks);
  flow.y -= height;
}
