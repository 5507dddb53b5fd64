-- The promised time of a submission is stored when it is promised: changed opening hours do not rewrite it.
ALTER TABLE contact_submissions ADD reply_due_at integer DEFAULT 0 NOT NULL;
