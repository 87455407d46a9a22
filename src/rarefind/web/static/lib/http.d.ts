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

/** A column that a map can be coloured by. */
export interface ColourColumn {
  name: string;
  kind: string;
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

/** A hunt that is out of sight, or back. */
export interface Deleted {
  id: string;
  name: string;
  deleted: boolean;
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

/** A record in a list: its label, a line about it, and its score in a ranking if one orders. */
export interface FoundRecord {
  row: number;
  label: string | null;
  summary: string;
  score?: number | null;
}

/** Part of what a query found, and how many records it found in all. */
export interface FoundView {
  query: string;
  total: number;
  n_records: number;
  records: Array<FoundRecord>;
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
  step?: string | null;
  together?: number;
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

/** How many labels of a file are new, and how many replaced what the same person had said. */
export interface Imported {
  new: number;
  changed: number;
}

/** Somebody who was invited, and the link that lets them in once. */
export interface Invitation {
  person: PersonView;
  link: string;
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

/** What the colours of a column mean. */
export interface LegendView {
  column: string;
  kind: "number" | "category";
  names: Array<string>;
  counts: Array<number>;
  others: number;
  low: number;
  high: number;
  low_words: string;
  high_words: string;
  missing: number;
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

/** Who is labelling, whether the name was chosen, what they may do, and if they were invited. */
export interface Person {
  annotator: string;
  chosen: boolean;
  role: "labels" | "leads";
  invited: boolean;
}

/** Somebody on the list of who may come in. */
export interface PersonView {
  id: string;
  name: string;
  role: "labels" | "leads";
  state: "joined" | "invited" | "expired" | "revoked";
  created_at: number;
  joined_at: number | null;
  invited_until: number | null;
}

/** The prediction for one task, as Label Studio reads it. */
export interface Predicted {
  result: Array<Record<string, any>>;
  score: number;
  model_version: string;
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
  row: number;
  why: string;
  evidence: Record<string, number>;
  meanings: Record<string, string>;
  lease: string;
  expires_at: number;
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

/** What makes up a score: votes of known examples, or what features add, or why not. */
export interface Reason {
  row: number;
  kind: string;
  words: string;
  parts: Array<Record<string, any>>;
  against?: Array<Record<string, any>>;
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

/** A question that nobody holds, for a time without a server. */
export interface SpareQuestion {
  record: RecordView;
  neighbours: Array<NeighbourView>;
  row: number;
  why: string;
  evidence: Record<string, number>;
  meanings: Record<string, string>;
}

/** Questions for a time without a server. */
export interface SpareQuestions {
  questions: Array<SpareQuestion>;
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
  whole?: boolean;
  left?: number | null;
}

/** A step that is kept for good: its id, how many events, and how many had come before. */
export interface StepAnswer {
  id: string;
  events: number;
  repeated: number;
  seq: number;
}

/** Whether the news was about an answer. */
export interface StudioHeard {
  status: "heard" | "nothing to hear";
}

/** A prediction for each task, in the same order. */
export interface StudioPredictions {
  model_version: string;
  results: Array<Predicted>;
}

/** The backend is up; ``model_class`` names the hunt. */
export interface StudioUp {
  status: string;
  model_class: string;
}

/** How much the hunt knows: predictions of another version are older. */
export interface StudioVersion {
  model_version: string;
}
