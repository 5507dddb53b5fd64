import { restoreLog } from "~/content/exhibits";
import { Exhibit } from "./exhibit";

/** Shows a log of restored backups, its failure included. */
export function RestoreLog() {
  const { title, text, columns, entries, results, note } = restoreLog;
  return (
    <Exhibit id="restores" title={title} width="five" note={note}>
      <p>{text}</p>
      <table className="@min-[17rem]:wrap-break-word w-full [&_:is(td,th)]:py-[0.45rem] [&_:is(td,th)]:pr-2 [&_td]:align-top [&_th]:text-left [&_th]:align-top [&_tr]:border-line [&_tr]:not-last:border-b">
        <thead className="text-ink-2 text-xs [&_th]:font-semibold [&_tr]:border-b!">
          <tr>
            {columns.map((column) => (
              <th key={column} scope="col">
                {column}
              </th>
            ))}
          </tr>
        </thead>
        <tbody className="@min-[17rem]:[&_th]:whitespace-nowrap [&_th]:font-normal">
          {entries.map(({ date, what, took, opened }) => (
            <tr key={date}>
              <th scope="row">{date}</th>
              <td>{what}</td>
              <td className="@min-[17rem]:whitespace-nowrap">{took}</td>
              <td className={opened ? "font-semibold text-success" : "font-semibold text-danger"}>
                {opened ? results.opened : results.failed}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </Exhibit>
  );
}
