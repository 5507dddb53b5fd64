import { useEffect, useRef, useState } from "react";

/**
 * Tells whether these fields of the form around `area` are filled in; `check` looks again. Before the scripts run
 * nothing is known, and the server checks them anyway.
 */
export function useFilled(names: readonly string[]) {
  const area = useRef<HTMLDivElement>(null);
  const [isFilled, setFilled] = useState(true);
  const check = () => {
    const form = area.current?.closest("form");
    if (form) setFilled(names.every((name) => String(new FormData(form).get(name) ?? "").trim() !== ""));
  };
  useEffect(check);
  return { area, isFilled, check };
}
