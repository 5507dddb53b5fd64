import { expect, test } from "vitest";
import { otherOrganization } from "~/features/organizations/model";

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
