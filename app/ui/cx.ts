/** Joins class names, leaving out whatever is not set: `cx("btn", wide && "wide")`. */
export function cx(...names: (string | false | null | undefined)[]): string {
  return names.filter(Boolean).join(" ");
}
