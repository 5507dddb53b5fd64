import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";

const APP = path.resolve(import.meta.dirname, "../../app");

/** Lists the modules that match, but for the tables themselves and what lists every column of them. */
const modulesWith = (pattern: RegExp) =>
  readdirSync(APP, { recursive: true, encoding: "utf8" }).filter(
    (file) =>
      /\.tsx?$/.test(file) &&
      !file.startsWith("db/schema/") &&
      pattern.test(readFileSync(path.join(APP, file), "utf8")),
  );

test("what clients may read of a conversation is selected by one fragment, which all others ask", () => {
  expect(modulesWith(/is_internal(?!: isInternal,)/)).toEqual(["features/conversation/internal-notes.server.ts"]);
  const writing = "features/conversation/messages.server.ts";
  expect(modulesWith(/is_internal: isInternal,/)).toEqual([writing]);
});

test("whose tickets somebody sees is selected by one fragment, which all others ask", () => {
  expect(modulesWith(/\bviewers\b(?!["`:])/)).toEqual(["features/tickets/access.server.ts"]);
});
