import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { StaticRouter } from "react-router-dom/server";
import { expect, test } from "vitest";
import { type Range, trendMonths } from "~/features/analytics/model";
import { TrendsPanel } from "~/features/analytics/trends-panel";

function shown(range: Range) {
  const months = trendMonths(range, "2026-11-20").map((days) => ({ ...days, created: 3, resolved: 2, openAtEnd: 1 }));
  const html = renderToStaticMarkup(
    createElement(StaticRouter, { location: "/" }, createElement(TrendsPanel, { months, range })),
  );
  const sentence = /<small[^>]*>(.*?)<\/small>/.exec(html)?.[1] ?? "";
  return {
    sentence: sentence.slice(0, sentence.indexOf(".", sentence.indexOf(".") + 1) + 1),
    columns: html.match(/<text [^>]*font-semibold[^>]*>/g)?.length ?? 0,
    rows: html.match(/<b>[^<]*<\/b>/g)?.length ?? 0,
  };
}

test.each<[Range, string, number]>([
  [7, "The last 6 months. The chosen range is in the marked one; the others are for comparison.", 1],
  [30, "The last 6 months. The chosen range touches the 2 marked ones; the others are for comparison.", 2],
  [90, "The last 6 months. The chosen range touches the 4 marked ones; the others are for comparison.", 4],
])("the months that the last %i days touch are marked, in the drawing and in the table, and the sentence says so", (range, sentence, marked) => {
  expect(shown(range)).toEqual({ sentence, columns: marked, rows: marked });
});

test("of a year all twelve months are of the range", () => {
  expect(shown(365)).toMatchObject({
    sentence: expect.stringMatching(/^The 12 months of the chosen range\./),
    rows: 12,
  });
});
