import { LinkButton } from "~/ui/button";
import { ButtonRow } from "~/ui/button-row";
import { Panel } from "~/ui/panel";
import { type AskedArchive, EVERYTHING_PATH, everythingFilePath } from "./model";

export function EverythingPanel({ hasProof, more }: { hasProof: boolean; more: AskedArchive | null }) {
  return (
    <Panel id="everything" title="One ZIP file">
      <div className="grid max-w-160 gap-3">
        <p>
          Organizations, people, submissions, tickets with all messages and internal notes, letters, settings and the
          record of who changed what: a JSON file for each table, a row in each line.
        </p>
        <p>
          Left out are passwords, codes, keys, links of mails and who is signed in. Anyone who has the file can read
          everything else: keep it where only you can open it.
        </p>
        <p className="text-ink-2 text-sm">
          {hasProof ? "" : "We ask for your password and a code first. "}
          What does not fit into one file is in the next one; its address is in MORE.txt, at the end of the file.
        </p>
        <ButtonRow dense>
          {more ? (
            <>
              <LinkButton to={everythingFilePath(more)}>Download the next part</LinkButton>
              <LinkButton variant="quiet" to={EVERYTHING_PATH}>
                Start again
              </LinkButton>
            </>
          ) : (
            <>
              <LinkButton to={everythingFilePath({ withFiles: true, after: "" })}>Download all</LinkButton>
              <LinkButton variant="quiet" to={everythingFilePath({ withFiles: false, after: "" })}>
                Download without attachments
              </LinkButton>
            </>
          )}
        </ButtonRow>
      </div>
    </Panel>
  );
}
