import { expect, test } from "vitest";
import { memberList, teamList } from "~/features/members/definition";
import { joinedColumn } from "~/features/members/member-columns";

test("members are in the order in which they were added, which the choice says; the date they joined orders nothing", () => {
  expect(joinedColumn("UTC")).not.toHaveProperty("sort");
  for (const { sortLabels } of [memberList, teamList])
    expect(sortLabels).toEqual({ newest: "Added last", oldest: "Added first" });
});
