import { controlLook } from "./control-look";
import { useField } from "./field";

type FileInputProps = { accept: string; multiple?: boolean };

/**
 * Takes files, chosen by button or dropped onto it; one, or several. `accept` only helps choosing; the server decides.
 */
export function FileInput({ accept, multiple }: FileInputProps) {
  return (
    <input type="file" className={controlLook({ kind: "file" })} accept={accept} multiple={multiple} {...useField()} />
  );
}
