"""Langfuse's OpenAI client within observed functions."""

from conversation import MODEL_URL, QUESTION, SESSION, USER, ask_openai, weather_in
from langfuse import Langfuse, observe, propagate_attributes
from langfuse.openai import OpenAI
from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter

langfuse = Langfuse(
    public_key="none",
    secret_key="none",
    base_url="http://127.0.0.1:9",
    span_exporter=OTLPSpanExporter(),
    flush_at=1000,
    flush_interval=600,
    environment="recording",
)


@observe(as_type="tool")
def get_weather(city: str) -> dict:
    return weather_in(city)


@observe(as_type="agent", name="weather")
def answer(question: str) -> str:
    with propagate_attributes(session_id=SESSION, user_id=USER, tags=["weather"]):
        client = OpenAI(base_url=MODEL_URL, api_key="none", max_retries=0)
        return ask_openai(client, get_weather)


answer(QUESTION)
langfuse.flush()
