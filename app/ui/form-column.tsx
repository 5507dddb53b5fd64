import type { ReactNode } from "react";
import { cx } from "./cx";

/** Returns the classes of a column of forms and what belongs to them, each form being a column of fields in it. */
export const formColumnLook = (className?: string) =>
  cx(
    "grid grid-cols-[minmax(0,1fr)] gap-5 [&>form>button]:justify-self-start [&>form]:grid [&>form]:grid-cols-[minmax(0,1fr)] [&>form]:gap-5",
    className,
  );

/** Lays out forms in one column, as narrow as what is typed into them. */
export function FormColumn({ children }: { children: ReactNode }) {
  return <div className={formColumnLook("max-w-[34rem]")}>{children}</div>;
}
