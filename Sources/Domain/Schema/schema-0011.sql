-- What a person does on a handset, and the state of the handset.

-- The person's reaction to challenges; NULL: that of the number's record.
ALTER TABLE devices ADD COLUMN behaviour TEXT;
-- How long the person needs, in milliseconds.
ALTER TABLE devices ADD COLUMN answer_after INTEGER;
-- NULL: nothing is wrong.
ALTER TABLE devices ADD COLUMN condition TEXT;
-- How far the handset's clock is ahead, in seconds.
ALTER TABLE devices ADD COLUMN clock_offset INTEGER;
