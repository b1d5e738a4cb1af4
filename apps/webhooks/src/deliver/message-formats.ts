import { cloudEvent, deliveryEnvelope, type SentEvent, standardEnvelope } from '@spooled/domain';
import { eventText } from './event-text.js';

export interface Message {
  contentType: string;
  body: string;
}

/** Formats for programs. */
const envelopes: Record<string, (event: SentEvent & { organizationId: string }) => Message> = {
  json: (event) => ({ contentType: 'application/json', body: deliveryEnvelope(event) }),
  standard: (event) => ({ contentType: 'application/json', body: standardEnvelope(event) }),
  cloudevents: (event) => ({
    contentType: 'application/cloudevents+json',
    body: cloudEvent(event, `/organizations/${event.organizationId}`),
  }),
};

/** Formats for people: chat messages, as the incoming webhooks of these services take them. */
const messages: Record<string, (event: string, data: Record<string, unknown>) => object> = {
  slack: (event, data) => ({ text: eventText(event, data, escapeSlack), mrkdwn: false }),
  discord: (event, data) => ({
    content: eventText(event, data, escapeMarkdown),
    allowed_mentions: { parse: [] },
  }),
  teams: (event, data) => ({
    type: 'message',
    attachments: [
      {
        contentType: 'application/vnd.microsoft.card.adaptive',
        content: {
          type: 'AdaptiveCard',
          version: '1.4',
          body: [{ type: 'TextBlock', wrap: true, text: eventText(event, data, escapeMarkdown) }],
        },
      },
    ],
  }),
};

/** What a webhook of a format is sent about an event. */
export function messageOf(format: string, event: SentEvent & { organizationId: string }): Message {
  const envelope = envelopes[format];
  if (envelope) return envelope(event);
  return { contentType: 'application/json', body: chatMessage(format, event.event, event.data)! };
}

/**
 * The body of a chat message about an event, or null if the format is none.
 * @param data the event's data, JSON text
 */
export function chatMessage(format: string, event: string, data: string): string | null {
  const message = messages[format];
  if (!message) return null;
  return JSON.stringify(message(event, JSON.parse(data) as Record<string, unknown>));
}

/** With these three, text holds no mention, link or command; `mrkdwn: false` turns the rest of the markup off. */
const escapeSlack = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

/** Markdown takes a backslash before punctuation as "no markup"; the colon keeps an address from becoming a link. */
const escapeMarkdown = (text: string): string =>
  text.replace(/[\\`*_~|<>[\]()#@]|:(?=\/\/)/g, (character) => `\\${character}`);
