import { expect, test } from "vitest";
import { renderMail } from "~/features/mail/kinds";
import { MAIL_CONTEXT } from "../../support/mail-context";

test.each([
  ["suspended", "Your access to Larkspur Row was suspended", false],
  ["removed", "You were removed from Larkspur Row", false],
  ["reactivated", "You have access to Larkspur Row again", true],
  ["made_admin", "You are an admin of Larkspur Row now", true],
  ["made_member", "You are a member of Larkspur Row now", true],
  ["made_owner", "You own Larkspur Row now", true],
  ["no_longer_owner", "You no longer own Larkspur Row", true],
] as const)("%s is told in the subject; only who has access is led to the portal", (change, subject, leads) => {
  const mail = renderMail("membership-changed", { organization: "Larkspur Row", change }, MAIL_CONTEXT);
  expect(mail.subject).toBe(subject);
  expect(mail.text.includes("https://wrenfield.example/client")).toBe(leads);
});
