/*
 * Measures what writing a PDF file computes: the renderer alone, in this process. Reading the numbers is part of the
 * page with the same numbers, and sending is not computing.
 */
import { deflateSync } from "node:zlib";
import { brand } from "~/content/brand";
import { composeLetter, letterDocument } from "~/features/letters/compose-letter";
import {
  CATEGORIES_LISTED,
  MISSES_LISTED,
  REASON_LENGTH,
  SENTENCE_LENGTH,
  SENTENCES_MAX,
  WAITING_LISTED,
} from "~/features/letters/model";
import { readPicture } from "~/features/pdf/logo-picture.server";
import { writePdf } from "~/features/pdf/write-pdf.server";
import { REPORT_TYPES, reportPath } from "~/features/reports/model";
import { reportDocument } from "~/features/reports/report-tables";
import { addDays, dayIn, days, hours, minutes } from "~/lib/time";

const ROUNDS = 20;

/**
 * Writes each report of a year, and the longest letter that there can be, the first time with the largest logo. Returns
 * a row for each file.
 */
export async function pdfCpu(admin) {
  const createdAt = Date.now();
  const reports = [];
  for (const type of REPORT_TYPES) {
    const report = await reportOfYear(admin, type, createdAt);
    reports.push({ file: `${type} of a year`, document: reportDocument(report, { brand, picture: null, createdAt }) });
  }
  const letter = longestLetter(createdAt);
  const logo = largestLogo();
  const files = [
    ...reports.map(({ file, document }) => ({ file, documentOf: () => document })),
    { file: "the longest letter", documentOf: () => letter },
    { file: "the same, reading the largest logo", documentOf: () => withLogo(letter, logo) },
  ];
  const rows = [];
  for (const { file, documentOf } of files) rows.push({ file, ...(await measured(documentOf)) });
  return rows;
}

/** Returns milliseconds of processor time. The first round is one of them: a worker that has just started is cold. */
async function measured(documentOf) {
  const figures = [];
  let written;
  for (let round = 0; round < ROUNDS; round += 1) {
    const before = process.cpuUsage();
    written = await writePdf(documentOf());
    const { user, system } = process.cpuUsage(before);
    figures.push((user + system) / 1000);
  }
  return {
    pages: written.pages,
    bytes: written.bytes.length,
    "cpu ms": Number(figures.toSorted((one, other) => one - other)[ROUNDS / 2].toFixed(1)),
    "cpu ms at most": Number(Math.max(...figures).toFixed(1)),
  };
}

async function reportOfYear(admin, type, now) {
  const to = dayIn(brand.timeZone, now);
  const path = reportPath({ type, from: addDays(to, -364), to });
  const response = await admin.send(`${path}&_data=routes%2F_admin.admin.reports`);
  const { report } = await response.json();
  if (!report) throw new Error(`${path} answered ${response.status}, without a report`);
  return report;
}

/** Returns the longest letter: everything that it lists, as often as it does, with texts as long as they may be. */
function longestLetter(now) {
  const list = (length, item) => Array.from({ length }, (_, index) => item(index));
  const words = (length) => "We moved the printer to the other network. ".repeat(10).slice(0, length);
  const dueAt = now - days(3);
  const facts = {
    ...{ organization: "Larkspur Row Learning Center", month: "2026-10", zone: brand.timeZone, plan: "Core" },
    ...{ people: 60, withoutSecondFactor: 12, created: 240, resolved: 231, open: 31 },
    ...{ promises: { kept: 300, missed: MISSES_LISTED }, firstResponse: { median: minutes(48), n: 230 } },
    misses: list(MISSES_LISTED, (index) => ({
      ticket: `T-${index}`,
      title: words(200),
      dueAt,
      answeredAt: dueAt + hours(2),
    })),
    asked: list(CATEGORIES_LISTED, (index) => ({ category: `Category ${index}`, count: 40 - index })),
    allowances: [
      { label: "After-hours incidents", used: "3 of 5" },
      { label: "Onsite visits", used: "12 of 16" },
    ],
    waiting: list(WAITING_LISTED, (index) => ({ ticket: `T-${index}`, title: words(200) })),
  };
  const added = {
    sentences: list(SENTENCES_MAX, () => words(SENTENCE_LENGTH)),
    reasons: list(MISSES_LISTED, () => words(REASON_LENGTH)),
  };
  const letter = composeLetter(facts, added, now);
  return letterDocument({ letter, signedBy: "Avery Quinn" }, { brand, picture: null, createdAt: now });
}

const withLogo = (document, file) => ({
  ...document,
  sender: { ...document.sender, hasLogo: true, picture: readPicture(file, { width: 480, height: 112 }) },
});

/**
 * Returns a PNG file with the most pixels that a logo has: 2,000 by 2,000 with alpha, by the filter that costs most.
 */
function largestLogo() {
  const side = 2_000;
  const head = Buffer.alloc(13);
  head.writeUInt32BE(side, 0);
  head.writeUInt32BE(side, 4);
  head.set([8, 6], 8);
  const rows = Buffer.alloc((side * 4 + 1) * side);
  for (let at = 0; at < rows.length; at += 1) rows[at] = at % (side * 4 + 1) === 0 ? 4 : at % 5;
  const chunk = (type, data) => {
    const length = Buffer.alloc(4);
    length.writeUInt32BE(data.length);
    return Buffer.concat([length, Buffer.from(type), data, Buffer.alloc(4)]);
  };
  const parts = [chunk("IHDR", head), chunk("IDAT", deflateSync(rows)), chunk("IEND", Buffer.alloc(0))];
  return Buffer.concat([Buffer.from("89504e470d0a1a0a", "hex"), ...parts]);
}
