import type { ValidationError } from "~/lib/form";
import { fileSize } from "~/lib/text";
import { ButtonRow, LinkButton } from "~/ui/button";
import { ErrorSummary, Form, formKey, SubmitButton, Tick, useFormResult } from "~/ui/form";
import { Link } from "~/ui/link";
import { useLooksAgain } from "~/ui/looks-again";
import { Panel, Sheet, SheetRows } from "~/ui/page";
import { Time } from "~/ui/text";
import { type Archive, isArchiveActive } from "./model";

type ArchivePanelProps = {
  archives: readonly Archive[];
  zone: string;
  token: string;
  path: string;
  filePath: (id: string) => string;
  /** What is in it. */
  about: string;
  /** Of the form in the portal: which organization it is about. */
  organizationId?: string;
  /** Whether it can be asked for with and without what only staff read. */
  hasChoice?: boolean;
};

export function ArchivePanel(props: ArchivePanelProps) {
  const { archives, zone, token, path, filePath, about, organizationId, hasChoice } = props;
  const isActive = archives.some(({ state }) => isArchiveActive(state));
  useLooksAgain(isActive);
  const failed = useFormResult<ValidationError>(formKey(path, "ask"));
  const label = archives.some(({ state }) => state === "failed")
    ? "Retry"
    : archives.length > 0 && !hasChoice
      ? "Make a new archive"
      : "Make an archive";
  return (
    <>
      {archives.length > 0 ? (
        <Sheet id="archives" title="Your archives">
          <SheetRows>
            {archives.map((archive) => (
              <li key={archive.id} className="flex flex-wrap items-baseline justify-between gap-x-4 gap-y-1">
                <p>
                  {hasChoice ? (archive.isInternal ? "With internal notes: " : "For the client: ") : null}
                  <ArchiveState archive={archive} zone={zone} />
                </p>
                {archive.state === "ready" ? (
                  <LinkButton size="sm" to={filePath(archive.id)}>
                    Download
                  </LinkButton>
                ) : null}
                {isArchiveActive(archive.state) ? <Link to={path}>Look again</Link> : null}
              </li>
            ))}
          </SheetRows>
        </Sheet>
      ) : null}
      <Panel id="archive" title="One ZIP file">
        <div className="grid max-w-160 gap-3">
          {failed ? <ErrorSummary title={failed.title} errors={failed.errors} /> : null}
          <p>{about}</p>
          <p className="text-ink-2 text-sm">
            It opens on any computer, without us. Making it takes a while: we mail you when it is ready. Only you can
            download it, for 7 days, and we ask for your password first. Anyone who has the file can read it.
            {archives.length > 0 ? " A new one replaces the one before." : ""}
          </p>
          {isActive && !hasChoice ? null : (
            <Form action={path} token={token} name="ask" className="grid gap-3">
              {organizationId ? <input type="hidden" name="organization_id" value={organizationId} /> : null}
              {hasChoice ? (
                <Tick type="checkbox" name="internal" value="on">
                  <span>
                    With internal notes, drafts and history
                    <span className="block text-ink-2">For us. Never give this one to the client.</span>
                  </span>
                </Tick>
              ) : null}
              <ButtonRow dense>
                <SubmitButton pendingLabel="Requesting...">{label}</SubmitButton>
              </ButtonRow>
            </Form>
          )}
        </div>
      </Panel>
    </>
  );
}

function ArchiveState({ archive, zone }: { archive: Archive; zone: string }) {
  const { state, part, size, requestedAt, expiresAt } = archive;
  if (state === "ready")
    return (
      <>
        {fileSize(size)}, as of <Time at={requestedAt} zone={zone} />. Ready until <Time at={expiresAt} zone={zone} />.
      </>
    );
  if (state === "failed") return <>It could not be made. Please try again.</>;
  if (state === "making")
    return (
      <>
        Being made: {part} %, {fileSize(size)} so far
      </>
    );
  return (
    <>
      Requested, <Time at={requestedAt} zone={zone} />. It begins within a minute.
    </>
  );
}
