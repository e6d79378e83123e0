"""The conversation of the recordings, and the exporter of its spans.

Endpoint, headers and compression of the exporter come from OpenTelemetry's environment variables.
"""

import json
import os

from opentelemetry import trace
from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
from opentelemetry.sdk.resources import Resource
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import BatchSpanProcessor

MODEL_URL = os.environ["MODEL_URL"]
# The base URL for clients that append the version themselves.
ROOT_URL = MODEL_URL.removesuffix("/v1")

MODEL = "gpt-4o-mini"
CLAUDE = "claude-sonnet-4-5"
GEMINI = "gemini-2.5-flash"
SYSTEM = "You are terse."
QUESTION = "Weather in Paris? 🌧"
SESSION = "session-1"
USER = "ana"


def weather_in(city: str) -> dict:
    return {"temp": 14, "sky": "rain"}


PARAMETERS = {
    "type": "object",
    "properties": {"city": {"type": "string"}},
    "required": ["city"],
}
OPENAI_TOOL = {
    "type": "function",
    "function": {
        "name": "get_weather",
        "description": "The weather in a city, now.",
        "parameters": PARAMETERS,
    },
}


def tracer_provider() -> TracerProvider:
    """The global provider; its spans are sent at shutdown."""
    resource = Resource.create({"service.name": os.environ["OTEL_SERVICE_NAME"]})
    provider = TracerProvider(resource=resource)
    # A delay longer than any recording sends all spans in one request.
    processor = BatchSpanProcessor(OTLPSpanExporter(), schedule_delay_millis=600_000)
    provider.add_span_processor(processor)
    trace.set_tracer_provider(provider)
    return provider


def ask_openai(client, get_weather=weather_in) -> str:
    """The conversation with an OpenAI client: the second turn is streamed."""
    messages = [
        {"role": "system", "content": SYSTEM},
        {"role": "user", "content": QUESTION},
    ]
    first = client.chat.completions.create(model=MODEL, messages=messages, tools=[OPENAI_TOOL])
    calling = first.choices[0].message
    [call] = calling.tool_calls
    result = get_weather(**json.loads(call.function.arguments))
    messages += [
        calling.model_dump(exclude_none=True),
        {"role": "tool", "tool_call_id": call.id, "content": json.dumps(result)},
    ]
    stream = client.chat.completions.create(
        model=MODEL,
        messages=messages,
        tools=[OPENAI_TOOL],
        stream=True,
        stream_options={"include_usage": True},
    )
    deltas = [chunk.choices[0].delta.content or "" for chunk in stream if chunk.choices]
    return "".join(deltas)
