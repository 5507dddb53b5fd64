import { type ComponentProps, useEffect, useRef, useState } from "react";
import { SubmitButton } from "./form";

/** Renders the button of a form with one text, which a script disables while the text is empty. */
export function SubmitWhenFilled({ children, ...rest }: ComponentProps<typeof SubmitButton>) {
  const [isEmpty, setIsEmpty] = useState(false);
  const place = useRef<HTMLSpanElement>(null);
  useEffect(() => {
    const text = place.current?.closest("form")?.querySelector("textarea");
    if (!text) return;
    const check = () => setIsEmpty(text.value.trim() === "");
    check();
    text.addEventListener("input", check);
    return () => text.removeEventListener("input", check);
  }, []);
  return (
    <span ref={place}>
      <SubmitButton disabled={isEmpty} {...rest}>
        {children}
      </SubmitButton>
    </span>
  );
}
