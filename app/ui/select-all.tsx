import { useEffect, useRef, useState } from "react";

const ROWS = 'tbody input[type="checkbox"]';

/**
 * Selects every row of its table, or none. A click on a row with Shift held selects all rows between it and the row
 * that was clicked before. It needs scripts: until they run, it is not there.
 */
export function SelectAll({ label }: { label: string }) {
  const box = useRef<HTMLInputElement>(null);
  const [runs, setRuns] = useState(false);
  useEffect(() => setRuns(true), []);
  // After every rendering: rows may have come or gone.
  useEffect(() => showSelection(box.current));
  useEffect(() => {
    const table = runs ? box.current?.closest("table") : null;
    if (!table) return;
    let last: HTMLInputElement | null = null;
    const onClick = ({ target, shiftKey }: MouseEvent) => {
      const rows = rowsOf(table);
      const index = rows.indexOf(target as HTMLInputElement);
      const row = rows[index];
      if (!row) return;
      const from = shiftKey && last ? rows.indexOf(last) : -1;
      if (from >= 0) check(rows.slice(Math.min(from, index), Math.max(from, index) + 1), row.checked);
      last = row;
      showSelection(box.current);
    };
    table.addEventListener("click", onClick);
    return () => table.removeEventListener("click", onClick);
  }, [runs]);
  useEffect(() => {
    // The event comes before the boxes change.
    const onReset = () => setTimeout(() => showSelection(box.current));
    document.addEventListener("reset", onReset);
    return () => document.removeEventListener("reset", onReset);
  }, []);
  if (!runs) return null;
  return (
    <input
      ref={box}
      className="block size-6 max-md:hidden"
      type="checkbox"
      aria-label={label}
      onChange={({ target }) => {
        const table = target.closest("table");
        if (table) check(rowsOf(table), target.checked);
      }}
    />
  );
}

const rowsOf = (table: HTMLTableElement) => [...table.querySelectorAll<HTMLInputElement>(ROWS)];

function check(rows: readonly HTMLInputElement[], checked: boolean) {
  for (const row of rows) row.checked = checked;
}

/** Shows whether all, some or none of the rows are selected. */
function showSelection(box: HTMLInputElement | null) {
  const table = box?.closest("table");
  if (!box || !table) return;
  const rows = rowsOf(table);
  const selected = rows.filter(({ checked }) => checked).length;
  box.checked = selected > 0 && selected === rows.length;
  box.indeterminate = selected > 0 && selected < rows.length;
}
