/** Sends the mark of the link that a page shows back with its form: see `linkMark`. */
export const LinkMark = ({ mark }: { mark: string | null }) =>
  mark === null ? null : <input type="hidden" name="link" value={mark} />;
