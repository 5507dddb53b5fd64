import { initialsOf } from "~/lib/text";

export function Avatar({ name }: { name: string }) {
  return (
    <span
      className="inline-grid size-7 flex-none place-items-center rounded-full border border-line-strong bg-sunken font-semibold text-[0.6875rem] text-ink-2 leading-none"
      aria-hidden="true"
    >
      {initialsOf(name)}
    </span>
  );
}
