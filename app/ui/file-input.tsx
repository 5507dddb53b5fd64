import { controlLook } from "./control-look";
import { useField } from "./field";

/** Takes one file, chosen by button or dropped onto it. `accept` only helps choosing; the server decides. */
export function FileInput({ accept }: { accept: string }) {
  return <input type="file" className={controlLook({ kind: "file" })} accept={accept} {...useField()} />;
}
