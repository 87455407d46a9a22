// What the HTTP interface answers: written from docs/openapi.json by scripts/page_types.py, for the
// checks alone. No browser ever asks for this file.

/** An event that is kept for good: its place, and whether it had been sent before. */
export interface Acknowledged {
  id: string;
  seq: number;
  repeated: boolean;
}

/** A class one can answer with: its key and the number of its colour never change. */
export interface AnswerView {
  name: string;
  key: string | null;
  colour: number;
}

/** A class told so far. */
export interface ClassView {
  name: string;
  count: number;
  first_row: number;
  first_at_label: number;
  background: boolean;
}

/** A column of a file: what it holds and why that is thought, and what else it could be. */
export interface ColumnView {
  name: string;
  kind: string;
  why: string;
  missing: number;
  examples: Array<string>;
  kinds: Array<string>;
}

/** A file at hand. */
export interface DataSetEntry {
  id: string;
  name: string;
  bytes: number;
  added_at: number;
  uploaded: boolean;
}

/** A file with its columns; ``background`` is known of examples alone. */
export interface DataSetView {
  id: string;
  name: string;
  bytes: number;
  added_at: number;
  uploaded: boolean;
  rows: number;
  columns: Array<ColumnView>;
  preview: Array<Record<string, string>>;
  label_guesses: Array<string>;
  background?: Array<string> | null;
}

/** A field in which another record differs: its value there, and how far off that is. */
export interface Difference {
  name: string;
  value: string;
  size: number;
}

/** A row that people call differently, and the label that counts. */
export interface Disagreement {
  row: number;
  words: Record<string, string>;
  label: string;
}

/** One field of a record. */
export interface FieldView {
  name: string;
  kind: string;
  value: string;
  unusual: number;
  marked: boolean;
  note: string;
  histogram?: Record<string, any> | null;
}

/** The server is up. */
export interface Health {
  status: string;
  version: string;
}

/** Something that was said, and whether it was taken back. */
export interface HistoryView {
  id: string;
  seq: number;
  kind: string;
  row: number | null;
  value: string | null;
  annotator: string;
  at: number;
  asked: boolean;
  undone: boolean;
  words: string;
  summary?: string;
}

/** A hunt, its state, and how far its set-up is or what went wrong with it. */
export interface HuntAnswer {
  id: string;
  name: string;
  title: string;
  dataset: string;
  dataset_id: string;
  n_records: number;
  labels: number;
  classes: Array<string>;
  annotators: Array<string>;
  created_at: number;
  settings: Record<string, any>;
  state: "closed" | "preparing" | "ready" | "failed";
  step: Step | null;
  problem: string | null;
}

/** How far a job has come; ``result`` is a ranking or a comparison. */
export interface JobAnswer {
  id: string;
  kind: string;
  state: "waiting" | "running" | "done" | "failed" | "cancelled";
  step: Step | null;
  result: any;
  error: string | null;
}

/** A record somebody is looking at. */
export interface LeaseView {
  row: number;
  annotator: string;
  expires_at: number;
}

/** A name with a line about it. */
export interface Named {
  name: string;
  about: string;
}

/** A record near another, and the fields in which it differs from that most. */
export interface NeighbourView {
  row: number;
  distance: number;
  label: string | null;
  summary: string;
  differs?: Array<Difference>;
}

/** Who is labelling, and whether the name was chosen or is the usual one. */
export interface Person {
  annotator: string;
  chosen: boolean;
}

/** How far a hunt has come. */
export interface ProgressView {
  labels: number;
  skipped: number;
  n_records: number;
  classes: Array<ClassView>;
  answers: Array<AnswerView>;
  background: Array<string>;
  annotators: Record<string, number>;
  curve: Array<number>;
  random: Array<number> | null;
  outlook: Record<string, number>;
  outlook_words: string;
  disagreements: Array<Disagreement>;
  leases: Array<LeaseView>;
}

/** A question held for whoever asked until it expires. */
export interface QuestionAnswer {
  record: RecordView;
  neighbours: Array<NeighbourView>;
  lease: string;
  expires_at: number;
  row: number;
  why: string;
  evidence: Record<string, number>;
}

/** The questions asked for. */
export interface Questions {
  questions: Array<QuestionAnswer>;
}

/** One row of a ranking; ``tied`` counts the others that have the same score. */
export interface RankedView {
  rank: number;
  row: number;
  score: number;
  label: string | null;
  summary: string;
  tied?: number;
}

/** A ranking in short; its rows are read with ``Service.ranked``. */
export interface RankingView {
  id: string;
  target: string;
  model: string;
  why: string;
  known: number;
  n_ranked: number;
  average_precision: number | null;
  chance: number | null;
  seconds: number;
  after_seq: number;
  created_at: number;
  hits?: Array<Record<string, number>>;
  histogram?: Record<string, any>;
  labels_since?: number;
  kernel_weights?: Record<string, number>;
}

/** A record: its fields, and texts, sequences, pictures, graphs and molecules to be drawn. */
export interface RecordView {
  row: number;
  summary: string;
  fields: Array<FieldView>;
  payloads: Array<Record<string, any>>;
}

/** A record and its nearest neighbours. */
export interface Shown {
  record: RecordView;
  neighbours: Array<NeighbourView>;
}

/** Work that was begun. */
export interface Started {
  job: string;
}

/** How far a piece of work has come: ``done`` of ``total`` units after ``elapsed`` seconds. */
export interface Step {
  task: string;
  done: number;
  total: number;
  elapsed?: number;
}

/** What makes up a score: votes of known examples, or contributions of features, or why not. */
export interface VotesView {
  row: number;
  kind: string;
  words: string;
  parts: Array<Record<string, any>>;
}
