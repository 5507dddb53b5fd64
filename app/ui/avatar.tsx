import { initials } from "~/lib/text";

/** Initials in a circle, beside a name that is written out; decorative, so not read aloud. */
export function Avatar({ name }: { name: string }) {
  return (
    <span className="avatar" aria-hidden="true">
      {initials(name)}
    </span>
  );
}
