import { type ComponentProps, useEffect, useRef, useState } from "react";
import { cx } from "./cx";
import { SubmitButton, useDelayed, useSending } from "./form";
import { Check, Icon } from "./icon";
import { VisuallyHidden } from "./text";

type SaveButtonProps = Omit<ComponentProps<typeof SubmitButton>, "pendingLabel">;

export function SaveButton({ children, className, ...rest }: SaveButtonProps) {
  const { isPending, answer } = useSending();
  const isSlow = useDelayed(isPending);
  const slot = useRef<HTMLSpanElement>(null);
  const hasChanged = useChange(slot, answer);
  const { saved, unchanged } = isPending || hasChanged ? {} : answer;
  return (
    <div className="flex flex-wrap items-center gap-x-2">
      <input type="hidden" name="answer" value="beside" />
      <SubmitButton className={cx("min-w-24", className)} {...rest}>
        {isSlow ? "Saving…" : children}
      </SubmitButton>
      <span ref={slot} className="min-w-17 whitespace-nowrap text-sm text-success" role="status">
        {saved ? (
          <>
            <Icon of={Check} className="inline-block align-[-0.15em]" /> Saved
            <VisuallyHidden>: {saved}</VisuallyHidden>
          </>
        ) : null}
        {unchanged ? (
          <span className="text-ink-2">
            No change<VisuallyHidden>: {unchanged}</VisuallyHidden>
          </span>
        ) : null}
      </span>
    </div>
  );
}

function useChange(place: { current: HTMLElement | null }, answer: object): boolean {
  const [changed, setChanged] = useState<object | null>(null);
  useEffect(() => {
    const form = place.current?.closest("form");
    const onInput = ({ target }: Event) => {
      if ((target as HTMLInputElement).form === form) setChanged(answer);
    };
    document.addEventListener("input", onInput);
    return () => document.removeEventListener("input", onInput);
  }, [place, answer]);
  return changed === answer;
}
