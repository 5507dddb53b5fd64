import { expect, test } from "vitest";
import {
  appended,
  fillIn,
  unknownVariables,
  unpairedBraces,
  VARIABLES,
  type Variable,
} from "~/features/canned-replies/model";

const values = Object.fromEntries(Object.keys(VARIABLES).map((name) => [name, name.toUpperCase()])) as Record<
  Variable,
  string
>;

test("every variable is filled in, with or without spaces, and what is none stays as it was written", () => {
  expect(fillIn("{{ticket.number}} {{ org.name }} {single} {{site}}", values)).toBe(
    "TICKET.NUMBER ORG.NAME {single} {{site}}",
  );
});

test("a value that looks like a variable is not filled in again", () => {
  const subject = { ...values, "ticket.subject": "{{agent.first_name}} $1" };
  expect(fillIn("{{ticket.subject}}", subject)).toBe("{{agent.first_name}} $1");
});

test("what stands in braces and is no variable is named once", () => {
  expect(unknownVariables("{{client.first_name}} {{name}} {{ name }} {{}} {{constructor}}")).toEqual([
    "name",
    "",
    "constructor",
  ]);
});

test("single braces and paired ones are no mistake, and a text with unpaired ones is still filled in around them", () => {
  expect(["{a} {{{ticket.number}}} } {", "{{ a }} {{}}"].map(unpairedBraces)).toEqual([null, null]);
  expect(unpairedBraces(" ".repeat(10_000))).toBeNull();
  expect(fillIn("Hi {{client.first_name, of {{org.name}}", values)).toBe("Hi {{client.first_name, of ORG.NAME");
});

test("a text is put at the end of a draft, after an empty line, and alone where there is none", () => {
  expect([appended("Hello\n ", "Bye"), appended(" \n", "Bye")]).toEqual(["Hello\n\nBye", "Bye"]);
});
