import type { Industry } from "~/content/industries";
import { Link } from "~/ui/link";

type IndustryFoldersProps = {
  industries: readonly Industry[];
  /** Level of the titles: below the heading the folders stand under. */
  heading?: "h2" | "h3";
};

/** Folders whose tab names the rule such an organization is asked about. The whole folder can be clicked. */
export function IndustryFolders({ industries, heading: Heading = "h3" }: IndustryFoldersProps) {
  return (
    <ul className="folders">
      {industries.map(({ slug, title, rule, summary }) => (
        <li className="folder" key={slug}>
          <span className="tab">{rule}</span>
          <Heading>
            <Link to={`/industries/${slug}`}>{title}</Link>
          </Heading>
          <p>{summary}</p>
        </li>
      ))}
    </ul>
  );
}
