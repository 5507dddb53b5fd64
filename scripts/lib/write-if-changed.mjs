import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";

/** Writes a generated file unless it is so already: the times of files are part of the build's stamp. */
export function writeIfChanged(path, contents) {
  const bytes = Buffer.from(contents);
  mkdirSync(dirname(path), { recursive: true });
  if (!existsSync(path) || !readFileSync(path).equals(bytes)) writeFileSync(path, bytes);
}
