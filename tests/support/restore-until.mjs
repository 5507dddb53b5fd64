/*
 * Restores a backup and is killed, or loses the process that writes the files, at the step of that number. Prints the
 * ids of what it leaves behind. Arguments: what `restoreInto` gets, as JSON, and `self` or `writer`.
 */
import { writeSync } from "node:fs";
import { descendants } from "../../scripts/lib/child-process.mjs";
import { personalDataReplacer } from "../../scripts/lib/replace-personal-data.mjs";
import { restoreInto } from "../../scripts/lib/restore-backup.mjs";

const { into, step: last, victim, rehearses, ...backup } = JSON.parse(process.argv[2]);
let steps = 0;
const step = (value) => {
  steps += 1;
  if (steps !== last) return value;
  const family = descendants(process.pid);
  writeSync(1, family.join(" "));
  for (const pid of victim === "writer" ? family : [process.pid]) process.kill(pid, "SIGKILL");
  return value;
};
const replacer = rehearses ? personalDataReplacer() : { leftOut: [], row: (_, row) => row, file: (_, bytes) => bytes };
await restoreInto(into, {
  ...backup,
  replace: {
    leftOut: replacer.leftOut,
    row: (table, row) => step(replacer.row(table, row)),
    file: (file, bytes) => step(replacer.file(file, bytes)),
  },
  now: () => step(Date.now()),
  print: step,
});
