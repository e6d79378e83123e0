"""Langfuse's client with only its base URL and keys set: it exports to an endpoint of its own."""

from conversation import MODEL_URL, QUESTION, SESSION, USER, ask_openai, weather_in
from langfuse import Langfuse, observe, propagate_attributes
from langfuse.openai import OpenAI

# Its own variables hold the base URL and keys.
langfuse = Langfuse(flush_at=1000, flush_interval=600)


@observe(as_type="tool")
def get_weather(city: str) -> dict:
    return weather_in(city)


@observe(as_type="agent", name="weather")
def answer(question: str) -> str:
    with propagate_attributes(session_id=SESSION, user_id=USER, trace_name="weather report"):
        client = OpenAI(base_url=MODEL_URL, api_key="none", max_retries=0)
        return ask_openai(client, get_weather)


answer(QUESTION)
langfuse.flush()
