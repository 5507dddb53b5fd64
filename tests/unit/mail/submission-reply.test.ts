import { expect, test } from "vitest";
import { renderMail } from "~/features/mail/templates";
import { MAIL_CONTEXT as context } from "../../support/mail-context";

test.each([
  ["nobody has signed", "Hello Priya,\n\nMonday works.", true],
  ["a sentence only ends with the name", "Hello,\nplease ask for Jordan Vale", true],
  ["a name stands in the middle", "Jordan Vale\nis away.\nMonday works.\nUntil then\nall the best", true],
  ["the name stands below", "Monday works.\n\nKind regards\nJordan Vale", false],
  ["the first name stands below", "Monday works.\n\nBest, Jordan", false],
  ["company and phone follow", "Monday works.\n\n– jordan vale\nWrenfield\n(555) 555-0142", false],
])("the author of a reply is named once: %s", (_, message, isAdded) => {
  const { text } = renderMail("submission-reply", { author: "Jordan Vale", message }, context);
  const names = (words: string) => words.split("Jordan Vale").length;
  expect(names(text) > names(message)).toBe(isAdded);
});
