// What the debugger's network domain says, as far as it is listened to.

export type Headers = Record<string, string>;

export interface Sent {
  requestId: string;
  request: {
    url: string;
    method: string;
    headers: Headers;
    postData?: string;
    hasPostData?: boolean;
  };
  type?: string;
  /** Seconds of a clock that only runs forward. */
  timestamp: number;
  /** Seconds since the epoch. */
  wallTime: number;
  /** The answer to the request before, which led to this one. */
  redirectResponse?: Answer;
}

export interface Answer {
  status: number;
  headers: Headers;
  mimeType: string;
}

export interface Answered {
  requestId: string;
  type?: string;
  response: Answer;
}

/** Headers as they went over the wire, cookies included. */
export interface WireHeaders {
  requestId: string;
  headers: Headers;
  statusCode?: number;
}

export interface Data {
  requestId: string;
  dataLength: number;
}

export interface Ended {
  requestId: string;
  timestamp: number;
}

export interface Failed extends Ended {
  errorText: string;
}
