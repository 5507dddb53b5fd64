import { describe, expect, test } from "vitest";
import { ConfirmSignUpForm, FullNameField } from "~/features/auth/forms.server";
import { OwnOrganizationForm } from "~/features/organization-settings/actions.server";
import { CreateForm } from "~/features/portal/actions.server";
import { asShown, FORMER_MEMBER, firstNameOf, initialsOf, visibleName } from "~/lib/text";

test.each([
  ["Dana Whitlock", "DW"],
  ["  Wu ", "W"],
  ["sam@clinic.example", "S"],
  ["Élodie van der Meer", "ÉM"],
  ["", ""],
])("%j has the initials %j", (name, initials) => {
  expect(initialsOf(name)).toBe(initials);
});

test.each([
  ["Dr. Ines Valverde-Montgomery", "Ines"],
  ["  Dana   Ortiz ", "Dana"],
  ["Prof.", "Prof."],
  [FORMER_MEMBER, "Former member"],
])("%j is addressed as %s", (name, first) => {
  expect(firstNameOf(name)).toBe(first);
});

const UNSEEN = ["", "   ", "\u200b", "\u200e \u2060", "\u00ad\u00ad", "\u3164", "\u2800", "\u202e", "\u0301"];

describe("a name of which nothing is seen is no name", () => {
  test.each(UNSEEN)("of a person: %j", (name) => {
    expect(FullNameField.safeParse(name).error?.issues).toMatchObject([{ message: "Full name is required" }]);
  });

  test.each(UNSEEN)("of an organization: %j", (name) => {
    const settings = { name, description: "", visibility: "all", default_role: "member", version: "1" };
    for (const form of [CreateForm.safeParse({ name }), OwnOrganizationForm.safeParse(settings)]) {
      expect(form.error?.issues).toMatchObject([{ path: ["name"], message: "Name is required" }]);
    }
  });

  test("and a sign-up with one has no organization", () => {
    const typed = { full_name: "Jo", password: "x", confirm_password: "x", organization_name: "\u200b" };
    expect(ConfirmSignUpForm.parse(typed).organizationName).toBe("");
  });
});

test.each([
  "Zoë",
  "محمد",
  "נועה",
  "می\u200cخواهم",
  "李",
  "👩\u200d💻",
  "O'Brien-Łuk & Søn",
  "\u200eAcme",
])("%s is a name as it is typed", (name) => {
  expect(visibleName(` ${name} `)).toBe(name);
});

test("a name does not turn the sentence around it", () => {
  expect(visibleName("Ann\u202etxe.exe\u202c and \u2067Ben\u2069")).toBe("Anntxe.exe and Ben");
});

test.each([
  ["Acme  Dental", "Acme Dental"],
  ["Acme\u00a0Dental", "Acme Dental"],
  ["\u200eAcme\u200b Dental\u200f", "Acme Dental"],
  ["Cafe\u0301", "Café"],
])("%j is read as %s", (stored, read) => {
  expect(asShown(stored)).toBe(asShown(read));
});
