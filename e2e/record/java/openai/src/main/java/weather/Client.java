package weather;

import com.openai.client.OpenAIClient;
import com.openai.client.okhttp.OpenAIOkHttpClient;
import com.openai.core.JsonValue;
import com.openai.models.FunctionDefinition;
import com.openai.models.FunctionParameters;
import com.openai.models.chat.completions.ChatCompletion;
import com.openai.models.chat.completions.ChatCompletionCreateParams;
import com.openai.models.chat.completions.ChatCompletionMessage;
import com.openai.models.chat.completions.ChatCompletionStreamOptions;
import com.openai.models.chat.completions.ChatCompletionToolMessageParam;
import com.openai.models.embeddings.EmbeddingCreateParams;
import java.util.List;
import java.util.Map;

/** The conversation, whose second turn is streamed, an embedding and a refused call. */
public class Client {
    static final String QUESTION = "Weather in Paris? 🌧";

    public static void main(String[] args) {
        OpenAIClient client = OpenAIOkHttpClient.builder()
                .baseUrl(System.getenv("MODEL_URL"))
                .apiKey("none")
                .maxRetries(0)
                .build();
        converse(client);
        client.embeddings().create(EmbeddingCreateParams.builder()
                .model("text-embedding-3-small")
                .inputOfArrayOfStrings(List.of("rain", "sun"))
                .build());
        expectRefusal(client);
        client.close();
    }

    static void converse(OpenAIClient client) {
        FunctionParameters parameters = FunctionParameters.builder()
                .putAdditionalProperty("type", JsonValue.from("object"))
                .putAdditionalProperty("properties", JsonValue.from(Map.of("city", Map.of("type", "string"))))
                .build();
        ChatCompletionCreateParams asking = ChatCompletionCreateParams.builder()
                .model("gpt-4o-mini")
                .addSystemMessage("You are terse.")
                .addUserMessage(QUESTION)
                .addFunctionTool(FunctionDefinition.builder()
                        .name("get_weather")
                        .description("The weather in a city, now.")
                        .parameters(parameters)
                        .build())
                .build();
        ChatCompletion first = client.chat().completions().create(asking);
        ChatCompletionMessage calling = first.choices().get(0).message();
        ChatCompletionToolMessageParam result = ChatCompletionToolMessageParam.builder()
                .toolCallId("call_1")
                .content("{\"temp\":14,\"sky\":\"rain\"}")
                .build();
        ChatCompletionCreateParams answered = asking.toBuilder()
                .addMessage(calling)
                .addMessage(result)
                .streamOptions(ChatCompletionStreamOptions.builder().includeUsage(true).build())
                .build();
        try (var stream = client.chat().completions().createStreaming(answered)) {
            stream.stream().forEach(chunk -> {});
        }
    }

    static void expectRefusal(OpenAIClient client) {
        ChatCompletionCreateParams refused = ChatCompletionCreateParams.builder()
                .model("refused-model")
                .addUserMessage(QUESTION)
                .build();
        try {
            client.chat().completions().create(refused);
        } catch (RuntimeException refusal) {
            return;
        }
        throw new IllegalStateException("the fake provider accepted a request that it should refuse");
    }
}
