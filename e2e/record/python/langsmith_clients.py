"""LangSmith's wrappers of the OpenAI and Anthropic clients, exported to OpenTelemetry."""

import os
import time

os.environ |= {
    "LANGSMITH_TRACING": "true",
    "LANGSMITH_OTEL_ENABLED": "true",
    "LANGSMITH_OTEL_ONLY": "true",
    "LANGSMITH_API_KEY": "none",
    "LANGSMITH_ENDPOINT": "http://127.0.0.1:9",
}

from conversation import (  # noqa: E402
    PROVIDER,
    QUESTION,
    SESSION,
    anthropic_client,
    ask_anthropic,
    ask_openai,
    openai_client,
    refuse_anthropic,
    refuse_openai,
    tracer_provider,
    weather_in,
)
from langsmith import traceable  # noqa: E402
from langsmith.wrappers import wrap_anthropic, wrap_openai  # noqa: E402

provider = tracer_provider()


@traceable(run_type="tool")
def get_weather(city: str) -> dict:
    return weather_in(city)


@traceable(name="weather", metadata={"session_id": SESSION}, tags=["weather"])
def answer(question: str) -> str:
    if PROVIDER == "anthropic":
        return ask_anthropic(wrap_anthropic(anthropic_client()), get_weather)
    return ask_openai(wrap_openai(openai_client()), get_weather)


answer(QUESTION)
if PROVIDER == "anthropic":
    refuse_anthropic(wrap_anthropic(anthropic_client()))
else:
    refuse_openai(wrap_openai(openai_client()))
# Its client converts runs to spans on a background thread that cannot be awaited.
time.sleep(2)
provider.shutdown()
