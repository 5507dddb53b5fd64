import { expect, test } from "vitest";
import { readDomains } from "~/features/organization-management/forms.server";
import { otherOrganization, slugOf } from "~/features/organizations/model";

test.each([
  ["Bright Smile Dental", "bright-smile-dental"],
  ["  Larkspur & Row, Inc.  ", "larkspur-row-inc"],
  ["Élan", "elan"],
  ["Nowiński & Łęcki", "nowinski-lecki"],
  ["Müller Straße", "muller-strasse"],
  ["Sørensen Æbleskiver", "sorensen-aebleskiver"],
  ["---", "org"],
  ["日本", "org"],
  ["A--B", "a-b"],
])("%s becomes %s", (name, slug) => {
  expect(slugOf(name)).toBe(slug);
});

const actor = { membership: { organizationId: "org_1", organizationName: "Birch School", role: "admin" as const } };

test("a form about the organization that its sender works in is taken", () => {
  expect(otherOrganization(actor, { organization_id: "org_1" })).toBeNull();
});

test.each([
  { organization_id: "org_2" },
  { organization_id: "" },
  {},
])("a form about %j is not, and says where its sender works now", (fields) => {
  expect(otherOrganization(actor, fields as Record<string, string>)?.text).toContain("Birch School");
});

test("domains are read one a line, each once, in lower case and in ASCII", () => {
  const { domains } = readDomains(" Clinic.example \r\n@clinic.example\nmüller.example., sub.clinic.example;");
  expect(domains).toEqual(["clinic.example", "xn--mller-kva.example", "sub.clinic.example"]);
});

test.each([
  "clinic",
  "clinic..example",
  "-clinic.example",
  "https://clinic.example",
  "clinic.example/path",
  "someone@clinic.example",
  "192.168.0.1",
  "[::1]",
  "clinic.example:8080",
  "clinic_1.example",
  "0x7f.1",
  `${"a".repeat(64)}.example`,
])("%s is no domain", (text) => {
  expect(readDomains(text)).toEqual({ domains: [], invalid: [text], freeMail: [] });
});

test("a domain where anybody may have a mailbox belongs to nobody", () => {
  expect(readDomains("gmail.com GMX.de outlook.com")).toEqual({
    domains: [],
    invalid: [],
    freeMail: ["gmail.com", "gmx.de", "outlook.com"],
  });
});
