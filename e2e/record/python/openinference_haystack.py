"""A Haystack agent, instrumented by OpenInference."""

from conversation import MODEL, MODEL_URL, QUESTION, SYSTEM, tracer_provider, weather_in
from haystack import Pipeline
from haystack.components.agents import Agent
from haystack.components.generators.chat import OpenAIChatGenerator
from haystack.dataclasses import ChatMessage
from haystack.tools import create_tool_from_function
from haystack.utils import Secret
from openinference.instrumentation.haystack import HaystackInstrumentor

provider = tracer_provider()
HaystackInstrumentor().instrument(tracer_provider=provider)


def get_weather(city: str) -> dict:
    """The weather in a city, now."""
    return weather_in(city)


key = Secret.from_token("none")
generator = OpenAIChatGenerator(model=MODEL, api_base_url=MODEL_URL, api_key=key, max_retries=0)
tool = create_tool_from_function(get_weather)
agent = Agent(chat_generator=generator, tools=[tool], system_prompt=SYSTEM)
pipeline = Pipeline()
pipeline.add_component("weather", agent)
pipeline.run({"weather": {"messages": [ChatMessage.from_user(QUESTION)]}})
provider.shutdown()
