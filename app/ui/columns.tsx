import type { HTMLAttributes, ReactNode } from "react";
import { cx } from "./cx";

type ColumnsProps = HTMLAttributes<HTMLElement> & { as?: "div" | "section" };

/** Columns stack when the text needs the room, not at a fixed width. `className` says how wide each wants to be. */
export function Columns({ as: Element = "div", className, ...rest }: ColumnsProps) {
  return <Element className={cx("flex flex-wrap items-start gap-x-columns gap-y-7 *:min-w-0", className)} {...rest} />;
}

export const formColumnStyle = (className?: string) =>
  cx(
    "grid grid-cols-[minmax(0,1fr)] gap-5 [&>form>button]:justify-self-start [&>form]:grid [&>form]:grid-cols-[minmax(0,1fr)] [&>form]:gap-5",
    className,
  );

export function FormColumn({ children }: { children: ReactNode }) {
  return <div className={formColumnStyle("max-w-[34rem]")}>{children}</div>;
}
