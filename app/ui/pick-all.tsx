import { useEffect, useRef, useState } from "react";

const ROWS = 'tbody input[type="checkbox"]';

/**
 * Ticks every row of its table, or none; and with Shift held, a click on a row ticks all from the last one on. Comfort
 * that needs scripts: before they run, and without them, it is not there.
 */
export function PickAll({ label }: { label: string }) {
  const box = useRef<HTMLInputElement>(null);
  const [runs, setRuns] = useState(false);
  useEffect(() => setRuns(true), []);
  // After every rendering: rows may have come or gone.
  useEffect(() => mirror(box.current));
  useEffect(() => {
    const table = runs ? box.current?.closest("table") : null;
    if (!table) return;
    let last: HTMLInputElement | null = null;
    const onClick = ({ target, shiftKey }: MouseEvent) => {
      const rows = rowsOf(table);
      const place = rows.indexOf(target as HTMLInputElement);
      const row = rows[place];
      if (!row) return;
      const from = shiftKey && last ? rows.indexOf(last) : -1;
      if (from >= 0) tick(rows.slice(Math.min(from, place), Math.max(from, place) + 1), row.checked);
      last = row;
      mirror(box.current);
    };
    table.addEventListener("click", onClick);
    return () => table.removeEventListener("click", onClick);
  }, [runs]);
  if (!runs) return null;
  return (
    <input
      ref={box}
      className="max-md:hidden"
      type="checkbox"
      aria-label={label}
      onChange={({ target }) => {
        const table = target.closest("table");
        if (table) tick(rowsOf(table), target.checked);
      }}
    />
  );
}

const rowsOf = (table: HTMLTableElement) => [...table.querySelectorAll<HTMLInputElement>(ROWS)];

function tick(rows: readonly HTMLInputElement[], checked: boolean) {
  for (const row of rows) row.checked = checked;
}

/** Shows whether all, some or none of the rows are ticked. */
function mirror(box: HTMLInputElement | null) {
  const table = box?.closest("table");
  if (!box || !table) return;
  const rows = rowsOf(table);
  const ticked = rows.filter(({ checked }) => checked).length;
  box.checked = ticked > 0 && ticked === rows.length;
  box.indeterminate = ticked > 0 && ticked < rows.length;
}
