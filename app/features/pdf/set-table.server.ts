import { type Flow, type Ink, makeRoom, setLine, setStroke } from "./flow.server";
import type { PdfBlock, PdfColumn } from "./model";
import { linesOf, widthOf } from "./type-setting.server";

const HEAD: Ink = { size: 8.5, weight: "bold", color: "muted" };
const CELL: Ink = { size: 9, weight: "regular", color: "ink" };

const LEADING = 12;
const PADDING = 4;
/** Sets the space between two columns. */
const GUTTER = 10;

type Place = PdfColumn & { x: number; width: number };

type Row = { cells: string[][]; height: number };

/**
 * Sets a table; one without any label has no head. A row stays on one page unless it is longer than one; the head is
 * repeated on every page.
 */
export function setTable(flow: Flow, { columns, rows, none }: Extract<PdfBlock, { kind: "table" }>): void {
  const places = placesOf(flow, columns);
  const head = rowOf(
    places,
    columns.map(({ label }) => label),
    HEAD,
  );
  const shown = rows.length === 0 && none !== undefined ? [[none]] : rows;
  const hasHead = columns.some(({ label }) => label !== "");
  const setHead = () => {
    if (!hasHead) return;
    setRow(flow, places, { row: head, ink: HEAD });
    setRule(flow, 0.9, "ink");
  };
  const laidOut = shown.map((cells) => rowOf(rows.length === 0 ? [wholeRow(flow, places)] : places, cells, CELL));
  makeRoom(flow, head.height + (laidOut[0]?.height ?? 0));
  setHead();
  for (const row of laidOut) {
    if (makeRoom(flow, row.height)) setHead();
    setRow(flow, places, { row, ink: CELL });
    setRule(flow, 0.5, "line");
  }
  flow.y -= 12;
}

function placesOf(flow: Flow, columns: readonly PdfColumn[]): Place[] {
  const shares = columns.reduce((sum, { share }) => sum + share, 0);
  const room = flow.width - GUTTER * (columns.length - 1);
  let x = flow.left;
  return columns.map((column) => {
    const place = { ...column, x, width: (room * column.share) / shares };
    x += place.width + GUTTER;
    return place;
  });
}

/** Returns the place of a sentence that stands for all columns. */
const wholeRow = (flow: Flow, [first]: Place[]): Place => ({
  label: first?.label ?? "",
  share: 1,
  x: flow.left,
  width: flow.width,
});

function rowOf(places: readonly Place[], texts: readonly string[], ink: Ink): Row {
  const cells = places.map(({ width }, index) => linesOf(texts[index] ?? "", width, ink));
  return { cells, height: Math.max(1, ...cells.map((lines) => lines.length)) * LEADING + 2 * PADDING };
}

/** Sets the lines of a row side by side. A row that is longer than a page goes on on the next one. */
function setRow(flow: Flow, places: readonly Place[], { row, ink }: { row: Row; ink: Ink }): void {
  flow.y -= PADDING;
  const count = Math.max(...row.cells.map((lines) => lines.length));
  for (let line = 0; line < count; line += 1) {
    makeRoom(flow, LEADING);
    for (const [index, lines] of row.cells.entries()) {
      const [text = "", place] = [lines[line], places[index]];
      if (!place) continue;
      const indent = place.isNumber && row.cells.length > 1 ? place.width - widthOf(text, ink.size, ink.weight) : 0;
      setLine(flow, text, { x: place.x + indent, y: flow.y - ink.size, ink });
    }
    flow.y -= LEADING;
  }
  flow.y -= PADDING;
}

const setRule = (flow: Flow, width: number, color: "ink" | "line") =>
  setStroke(flow, { from: [flow.left, flow.y], to: [flow.left + flow.width, flow.y], width, color });
