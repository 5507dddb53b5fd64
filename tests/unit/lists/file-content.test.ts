import { expect, test } from "vitest";
import { fileContent } from "~/lists/model";

const SUBMISSIONS = { one: "submission", many: "submissions" };

test("a file that is ready says how many rows it has: those that were ticked, or all that match", () => {
  const content = (file: string, count: number, more: false | "certainly" = false) =>
    fileContent(`/admin/submissions.csv${file}`, { count, more }, SUBMISSIONS);
  expect(content("", 1204)).toBe("1,204 submissions");
  expect(content("?status=new", 1)).toBe("1 submission");
  expect(content("?q=ada", 150, "certainly")).toBe("more than 150 submissions");
  expect(content("?ids=sub_1%2Csub_2", 1204)).toBe("2 submissions");
  expect(fileContent("/admin/submissions.csv", undefined, SUBMISSIONS)).toBe("submissions");
});
